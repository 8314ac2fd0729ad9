/** Sends a command of an operator to a caption page. Resolves with the status of the answer. */
export async function operatorCommand(page: string, token: string, command: object): Promise<number> {
  const { status } = await fetch(new URL('operator/command', page), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(command),
  });
  return status;
}
