/** A number in digits times a power of ten: ('2.5', 6) gives '2500000', ('1.2345', 3) gives '1234.5'. */
export function shiftPoint(numeral: string, power: number): string {
  const [whole = '', fraction = ''] = numeral.split('.');
  const digits = fraction.padEnd(power, '0');
  const moved = (whole + digits.slice(0, power)).replace(/^0+(?=\d)/, '');
  const rest = digits.slice(power).replace(/0+$/, '');
  return rest === '' ? moved : `${moved}.${rest}`;
}
