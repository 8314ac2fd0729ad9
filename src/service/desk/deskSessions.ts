import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { createToken, hashToken } from '../accounts/tokens.ts';
import type { OpenStore } from '../store/store.ts';
import type { DeskUser, KnownUser } from './deskUsers.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds without a request after which a session ends. */
const IDLE_MS = 12 * HOUR_MS;
/** Milliseconds after the log-in when a session ends in any case. */
const MAX_MS = 7 * 24 * HOUR_MS;
/** Minimum milliseconds between two records of the use of a session. */
const USE_INTERVAL_MS = 60_000;

/** A log-in at the desk. */
export interface DeskSession {
  readonly user: DeskUser;
  /** The secret of the cookie. The store has its hash only. */
  readonly secret: string;
}

/** Returns a key that only this session has, for one purpose. */
export function sessionKey({ secret }: DeskSession, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** Creates the sessions of a store. */
export function createDeskSessions(opened: Promise<OpenStore>, now: () => Date) {
  const database = async () => (await opened).db;
  const before = (ms: number) => new Date(now().getTime() - ms);
  return {
    /** Begins the session of a user who has shown the password; undefined when it has changed meanwhile. */
    async begin({ name, role, password }: KnownUser): Promise<DeskSession | undefined> {
      const db = await database();
      const secret = createToken();
      const user = { name, role };
      const { rows } = await sql`
        insert into desk_sessions (hash, user_name, begun_on, used_on)
        select ${hashToken(secret)}::text, name, ${now()}::timestamptz, ${now()}::timestamptz from desk_users
        where name = ${name} and password = ${password} and disabled_on is null returning hash`.execute(db);
      if (rows.length === 0) return undefined;
      await db
        .deleteFrom('deskSessions')
        .where(({ or, eb }) => or([eb('usedOn', '<', before(IDLE_MS)), eb('begunOn', '<', before(MAX_MS))]))
        .execute();
      return { user, secret };
    },

    /** Returns the session of a secret; undefined when it has ended, or its user is disabled. */
    async find(secret: string): Promise<DeskSession | undefined> {
      const db = await database();
      const hash = hashToken(secret);
      const found = await db
        .selectFrom('deskSessions')
        .innerJoin('deskUsers', 'deskUsers.name', 'deskSessions.userName')
        .select(['deskUsers.name', 'deskUsers.role', 'deskSessions.usedOn'])
        .where('hash', '=', hash)
        .where('usedOn', '>=', before(IDLE_MS))
        .where('begunOn', '>=', before(MAX_MS))
        .where('disabledOn', 'is', null)
        .executeTakeFirst();
      if (!found) return undefined;
      const { name, role, usedOn } = found;
      if (usedOn < before(USE_INTERVAL_MS)) {
        await db.updateTable('deskSessions').set({ usedOn: now() }).where('hash', '=', hash).execute();
      }
      return { user: { name, role }, secret };
    },

    async end({ secret }: DeskSession): Promise<void> {
      const db = await database();
      await db.deleteFrom('deskSessions').where('hash', '=', hashToken(secret)).execute();
    },
  };
}
