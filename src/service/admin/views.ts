import {
  type AccountRecordJson,
  LimitsSchema,
  type SettingsJson,
  type TokenRecordJson,
  type WaitingJobJson,
} from '../../protocol/admin.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { limitsOf } from '../accounts/accountRows.ts';
import type { AccountRecord, TokenRecord } from '../accounts/storedAdministration.ts';
import { claimantOf, isClaimed } from '../desk/deskContext.ts';
import { turnaround } from '../desk/deskQueue.ts';
import type { AccountLimits } from '../limits.ts';
import type { JobRecord } from '../store/jobRecord.ts';

/** @param defaults limits of an account that has none of its own */
export function accountView(account: AccountRecord, defaults: AccountLimits): AccountRecordJson {
  return {
    id: account.id,
    email: account.email,
    balance_seconds: Math.floor(account.balanceSeconds),
    reserved_seconds: Math.ceil(account.reservedSeconds),
    created_on: account.createdOn.toISOString(),
    settings: settingsView(account, defaults),
  };
}

export function settingsView(account: AccountRecord, defaults: AccountLimits): SettingsJson {
  return {
    email: account.email,
    delete_after_seconds: account.deleteAfterSeconds ?? undefined,
    has_signing_secret: account.signingSecret !== null,
    limits: toWire(LimitsSchema, { ...defaults, ...limitsOf(account) }),
  };
}

export function tokenView({ id, name, createdOn, lastUsedOn }: TokenRecord): TokenRecordJson {
  return {
    id,
    name: name ?? undefined,
    created_on: createdOn.toISOString(),
    last_used_on: lastUsedOn?.toISOString(),
  };
}

/** @param now a claim that has lapsed by this time is left out */
export function waitingJobView(record: JobRecord, now: Date): WaitingJobJson {
  const isTaken = isClaimed(record, now);
  return {
    id: record.id,
    account_id: record.accountId,
    created_on: record.createdOn.toISOString(),
    ...turnaround(record),
    rush: record.isUrgent ?? false,
    name: record.name,
    language: record.language,
    metadata: record.metadata,
    duration_seconds: record.durationSeconds,
    options: record.options,
    ...(isTaken && { claimed_by: claimantOf(record), claimed_until: record.leaseUntil?.toISOString() }),
  };
}
