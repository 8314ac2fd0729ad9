import type { Service } from '../../src/service/app.ts';
import { deskAdministration } from './deskClient.ts';

/** Adds an account to a service with `DESK_ADMIN_TOKEN`. Returns its token, and calls of its operator. */
export async function accountWith(creditSeconds: number, service: Pick<Service, 'url'>) {
  const administer = async (method: string, path: string, body: object) =>
    (await deskAdministration(service, method, `/accounts${path}`, body)).json();
  const email = `${Math.random()}@example.org`;
  const { id } = await administer('POST', '', { email, credit_seconds: creditSeconds });
  const { token } = await administer('POST', `/${id}/tokens`, {});
  return {
    token: token as string,
    topUp: (seconds: number) => administer('POST', `/${id}/credit`, { seconds }),
    deleteAfter: (seconds: number) =>
      administer('PATCH', `/${id}/settings`, { delete_after_seconds: seconds }),
  };
}
