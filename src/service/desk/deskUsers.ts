import type { DeskRole, DeskUserJson } from '../../protocol/desk.ts';
import type { OpenStore } from '../store/store.ts';
import { hashPassword, isPassword, type PasswordCost } from './passwords.ts';

/** A user of the desk. */
export interface DeskUser {
  readonly name: string;
  readonly role: DeskRole;
}

/** A user with the password. */
export interface KnownUser extends DeskUser {
  /** Its hash, as it was then. */
  readonly password: string;
}

export interface DeskUserRecord extends DeskUser {
  readonly createdOn: Date;
  /** Absent for users who may log in. */
  readonly disabledOn?: Date;
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
    async add({ name, role }: DeskUser, password: string): Promise<DeskUserRecord | undefined> {
      const user = { name, role, createdOn: now() };
      const row = { ...user, password: await hashPassword(password, cost) };
      const added = await (await database())
        .insertInto('deskUsers')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .returning('name')
        .executeTakeFirst();
      return added && user;
    },

    /** Returns the users in the order of their names. */
    async list(): Promise<readonly DeskUserRecord[]> {
      const rows = await (await database())
        .selectFrom('deskUsers')
        .select(['name', 'role', 'createdOn', 'disabledOn'])
        .orderBy('name')
        .execute();
      return rows.map(row => ({ ...row, disabledOn: row.disabledOn ?? undefined }));
    },

    /** Lets a user log in no more, and ends the sessions. Returns false when there is no such user. */
    disable: (name: string) => change(name, { disabledOn: now() }),

    /** Replaces the password, ends the sessions, and lets a disabled user log in again. Returns false when there is no such user. */
    setPassword: async (name: string, password: string) =>
      change(name, { password: await hashPassword(password, cost), disabledOn: null }),

    find,

    /** Returns the user who has this name and password and is not disabled. */
    async authenticate(name: string, password: string): Promise<KnownUser | undefined> {
      const user = await find(name);
      const isKnown = await isPassword(password, user?.password, cost);
      return isKnown ? user : undefined;
    },
  };
}

export function deskUserView({ name, role, createdOn, disabledOn }: DeskUserRecord): DeskUserJson {
  return {
    name,
    role,
    created_on: createdOn.toISOString(),
    disabled_on: disabledOn?.toISOString(),
  };
}
