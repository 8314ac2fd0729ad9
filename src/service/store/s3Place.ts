import { InvalidArgumentError } from '../../base/errors.ts';

/** A bucket, and the part of its keys before those of the service. */
export interface S3Place {
  /** As `s3://BUCKET` or `s3://BUCKET/PREFIX`. */
  readonly url: string;
  /** Address of a server other than Amazon's. Default: `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`, else Amazon's. */
  readonly endpoint?: string;
}

/** Bucket names as servers allow them; prefixes of the characters that need no escape. */
const PLACE = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w!./-]*?))?\/*$/;

/**
 * Reads the address of a bucket.
 *
 * @throws InvalidArgumentError when it, or the address of its server, is not valid
 */
export function readS3Place({ url, endpoint }: S3Place): {
  readonly bucket: string;
  readonly prefix: string;
} {
  const { bucket, prefix = '' } = PLACE.exec(url)?.groups ?? {};
  if (bucket === undefined || prefix.split('/').some(part => part === '..' || part === '.')) {
    throw new InvalidArgumentError(
      `The address of the objects must be like s3://BUCKET/PREFIX, not '${url}'. A prefix has letters, digits and -_!./ only.`,
    );
  }
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new InvalidArgumentError(
      `The address of the S3 server must be one of HTTP, such as https://s3.example.org, not '${endpoint}'.`,
    );
  }
  return { bucket, prefix };
}
