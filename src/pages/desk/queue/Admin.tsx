import { useMemo } from 'preact/hooks';
import { clockText, dateText, lengthText } from '../../times.ts';
import { useDesk } from '../desk.ts';
import { Listing } from './Listing.tsx';

/** The figures, events, users and proposed terms of the desk, for admins. */
export function Admin() {
  const { api } = useDesk();
  return (
    <main class="admin">
      <h1>Administration</h1>
      <Figures />
      <Listing
        title="Users"
        hint="Users are added, disabled and given passwords with 'rxscribe desk user'."
        empty="There are no users."
        columns={['Name', 'Role', 'Added', 'Disabled']}
        read={api.readUsers}
        row={user => [
          user.name,
          user.role,
          dateText(user.created_on),
          user.disabled_on ? dateText(user.disabled_on) : '',
        ]}
      />
      <Listing
        title="Proposed terms"
        empty="Nobody has proposed a term."
        columns={['Term', 'Account', 'Job', 'By', 'On']}
        read={api.readProposals}
        row={proposal => [
          <bdi>{proposal.phrase}</bdi>,
          proposal.account_id,
          proposal.job_id,
          proposal.proposed_by,
          dateText(proposal.proposed_on),
        ]}
      />
      <Listing
        title="Events"
        empty="Nothing has happened yet."
        columns={['On', 'User', 'Action', 'Job', 'Address']}
        read={api.readEvents}
        row={event => [
          dateText(event.on),
          <bdi>{event.user}</bdi>,
          event.action,
          event.job_id ?? '',
          event.address ?? '',
        ]}
      />
    </main>
  );
}

/** Figures of the desk for its admins. */
function Figures() {
  const { api } = useDesk();
  const figures = useMemo(api.readFigures, [api]);
  return (
    <>
      <Listing
        title="Waiting jobs"
        columns={['Jobs', 'Overdue', 'Oldest']}
        read={async () => [await figures]}
        row={jobs => [jobs.waiting, jobs.overdue, jobs.waiting && lengthText(jobs.oldest_seconds * 1000)]}
      />
      <Listing
        title="Audio finished in 7 days"
        columns={['Person', 'Today', '7 days', 'Work', 'Minutes an hour']}
        read={async () => (await figures).people}
        row={({ name, today_seconds: today, week_seconds: week, work_seconds: work }) => [
          name,
          ...[today, week, work].map(seconds => clockText(seconds, { hours: true })),
          work > 0 ? (60 * (week / work)).toFixed(1) : '',
        ]}
      />
      <Listing
        title="Words of the machine changed in 7 days"
        columns={['Customer', 'Words', 'Changed']}
        read={async () => (await figures).customers}
        row={({ customer = 'Deleted account', words, changed_words: changed }) => [
          <bdi>{customer}</bdi>,
          words,
          words > 0 ? `${((100 * changed) / words).toFixed(1)} %` : '',
        ]}
      />
    </>
  );
}
