/** Address of the audio worklet, which the build writes as a file: the policy of the page allows no other scripts. */
declare module 'virtual:capture-worklet' {
  const url: string;
  export default url;
}
