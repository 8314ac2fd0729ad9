import type { NotificationOption, UploadOptions } from './areaTypes.ts';
import type { SubmitOptions } from './jobArea.ts';
import type { Address, DataSource, FileSource, MediaSource } from './mediaSource.ts';

/** Splits a submission of media into its fields and the options of its sending. */
export function mediaSubmission<Options extends UploadOptions>(
  source: MediaSource,
  { signal, onProgress, notification, ...options }: Options,
) {
  return {
    fields: { ...options, ...sourceFields(source), ...notificationFields({ notification }) },
    sending: { upload: uploadOf(source), onProgress, signal } satisfies SubmitOptions,
  };
}

function sourceFields(source: MediaSource) {
  return { sourceConfig: 'url' in source ? addressField(source) : undefined };
}

export function notificationFields({ notification }: NotificationOption) {
  return { notificationConfig: notification && addressField(notification) };
}

export function addressField({ url, authorization }: Address) {
  return {
    url: String(url),
    authHeaders: authorization === undefined ? undefined : { Authorization: authorization },
  };
}

export function uploadOf(source: MediaSource): FileSource | DataSource | undefined {
  return 'url' in source ? undefined : source;
}
