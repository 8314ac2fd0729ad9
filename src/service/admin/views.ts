import type {
  AccountRecordJson,
  ProcessJson,
  SettingsJson,
  TokenRecordJson,
  WaitingJobJson,
} from '../../protocol/admin.ts';
import type { AccountRecord, TokenRecord } from '../accounts/accounts.ts';
import { claimantOf, isClaimed } from '../desk/deskContext.ts';
import { turnaround } from '../desk/deskQueue.ts';
import type { AccountLimits } from '../limits.ts';
import type { ProcessRecord } from '../machines/member.ts';
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
  const limits = { ...defaults, ...account.limits };
  return {
    email: account.email,
    delete_after_seconds: account.deleteAfterSeconds,
    has_signing_secret: account.hasSigningSecret,
    limits: {
      streams: limits.streams,
      jobs_in_progress: limits.jobsInProgress,
      requests_per_second: limits.requestsPerSecond,
      request_burst: limits.requestBurst,
    },
  };
}

export function tokenView({ id, name, createdOn, lastUsedOn }: TokenRecord): TokenRecordJson {
  return { id, name, created_on: createdOn.toISOString(), last_used_on: lastUsedOn?.toISOString() };
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

export function processView(process: ProcessRecord): ProcessJson {
  return {
    id: process.id,
    role: process.role,
    version: process.version,
    host: process.host,
    started_on: process.startedOn.toISOString(),
    seen_on: process.seenOn.toISOString(),
    is_alive: process.isAlive,
    figures: process.figures,
  };
}
