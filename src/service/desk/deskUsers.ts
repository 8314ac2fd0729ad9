import type { Selectable } from 'kysely';
import type { DeskRole, DeskUserJson } from '../../protocol/desk.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { hashPassword, isPassword, type PasswordCost } from './passwords.ts';

/** A user of the desk. */
export interface DeskUser {
  readonly name: string;
  readonly role: DeskRole;
}

/** A user with the password. */
export interface KnownUser extends DeskUser {
  /** The hash at that time. */
  readonly password: string;
}

/** The users of the desk, for operators. */
export type DeskUsers = ReturnType<typeof createDeskUsers>;

/** Creates the users of a store; new passwords are hashed at the given cost. */
export function createDeskUsers(opened: Promise<OpenStore>, now: () => Date, cost: PasswordCost) {
  const database = async () => (await opened).db;

  async function change(
    name: string,
    values: { password?: string; disabledOn: Date | null },
  ): Promise<boolean> {
    return (await database()).transaction().execute(async trx => {
      const { numUpdatedRows } = await trx
        .updateTable('deskUsers')
        .set(values)
        .where('name', '=', name)
        .executeTakeFirst();
      await trx.deleteFrom('deskSessions').where('userName', '=', name).execute();
      return numUpdatedRows > 0n;
    });
  }

  /** Returns the user of a name who is not disabled. */
  const find = async (name: string): Promise<KnownUser | undefined> =>
    (await database())
      .selectFrom('deskUsers')
      .select(['name', 'role', 'password'])
      .where('name', '=', name)
      .where('disabledOn', 'is', null)
      .executeTakeFirst();

  return {
    /** Returns undefined when the name is taken. */
    async add({ name, role }: DeskUser, password: string): Promise<DeskUserJson | undefined> {
      const row = { name, role, createdOn: now(), password: await hashPassword(password, cost) };
      const added = await (await database())
        .insertInto('deskUsers')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return added && viewOf(added);
    },

    /** Returns the users in the order of their names. */
    async list(): Promise<readonly DeskUserJson[]> {
      const rows = await (await database())
        .selectFrom('deskUsers')
        .select(['name', 'role', 'createdOn', 'disabledOn'])
        .orderBy('name')
        .execute();
      return rows.map(viewOf);
    },

    /** Disables the log-in of a user, and ends the sessions. Returns false when there is no such user. */
    disable: (name: string) => change(name, { disabledOn: now() }),

    /** Replaces the password, ends the sessions, and lets a disabled user log in again. Returns false when there is no such user. */
    setPassword: async (name: string, password: string) =>
      change(name, { password: await hashPassword(password, cost), disabledOn: null }),

    find,

    /** Returns the user who has this name and password and is not disabled. */
    async authenticate(name: string, password: string): Promise<KnownUser | undefined> {
      const user = await find(name);
      return (await isPassword(password, user?.password, cost)) ? user : undefined;
    },
  };
}

function viewOf({ name, role, createdOn, disabledOn }: Omit<Selectable<Tables['deskUsers']>, 'password'>) {
  return { name, role, created_on: createdOn.toISOString(), disabled_on: disabledOn?.toISOString() };
}
