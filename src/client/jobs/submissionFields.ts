import type { CallOptions } from './clientOptions.ts';
import type { SubmitOptions } from './jobArea.ts';
import type { Address, DataSource, FileSource, MediaSource } from './mediaSource.ts';
import type { UploadProgress } from './requestBody.ts';

/** Where the service posts that a job has ended. */
export interface NotificationOption {
  /** An address, or a receiver. */
  readonly notification?: Address;
}

/** For submissions that may upload. */
export interface UploadOptions extends CallOptions, NotificationOption {
  /** Called as the upload goes on. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** Fields whose values come from the source and from the options above. */
export type AddressFields = 'sourceConfig' | 'mediaUrl' | 'notificationConfig' | 'callbackUrl';

/** The submission of media: its fields but for those of the area, and how it is sent. */
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
