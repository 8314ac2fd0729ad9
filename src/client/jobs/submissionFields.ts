import type { CallOptions } from './clientOptions.ts';
import type { SubmitOptions } from './jobArea.ts';
import type { Address, DataSource, FileSource, MediaSource } from './mediaSource.ts';
import type { UploadProgress } from './requestBody.ts';

/** The notification about the end of a job. */
export interface NotificationOption {
  /** Address for the notification, or a receiver. */
  readonly notification?: Address;
}

/** Options of submissions with media. */
export interface UploadOptions extends CallOptions, NotificationOption {
  /** Called during the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** Fields that are set from the source and the options above. */
export type AddressFields = 'sourceConfig' | 'mediaUrl' | 'notificationConfig' | 'callbackUrl';

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
