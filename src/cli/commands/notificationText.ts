import { oneLine } from '../../base/text.ts';
import type { Notification } from '../../protocol/notifications.ts';

/** What a notification says, on one line that is safe for a terminal. */
export function notificationText(notification: Notification): string {
  const [kind, { id, status, failureDetail }] =
    'job' in notification
      ? (['job', notification.job] as const)
      : (['vocabulary', notification.customVocabulary] as const);
  const text = `${kind} ${id} ${status}${failureDetail === undefined ? '' : `: ${failureDetail}`}`;
  return oneLine(text);
}
