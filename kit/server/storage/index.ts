import { join } from 'node:path'
import type { FileStore } from './file-store.ts'
import { createLocalStore } from './local-store.ts'
import { createS3Store } from './s3-store.ts'

export type { FileStore } from './file-store.ts'
export { createLocalStore } from './local-store.ts'
export { createS3Store } from './s3-store.ts'
export { safeFileHeaders, requireUploadSize, requireAllowedUpload, uploadKey, safeUploadName } from './upload.ts'

/**
 * Creates the installation's file store: S3 if the environment names one (`S3_ENDPOINT`…), otherwise the data folder.
 */
export function createFileStore(env: NodeJS.ProcessEnv, dataDir: string): FileStore {
  if (!env.S3_ENDPOINT) return createLocalStore(join(dataDir, 'files'))
  const required = (name: string) => {
    const value = env[name]
    if (!value) throw new Error(`${name} is missing: with S3_ENDPOINT the file store needs a bucket and both keys`)
    return value
  }
  return createS3Store({
    endpoint: env.S3_ENDPOINT,
    bucket: required('S3_BUCKET'),
    accessKey: required('S3_ACCESS_KEY'),
    secretKey: required('S3_SECRET_KEY'),
    region: env.S3_REGION,
    pathStyle: env.S3_PATH_STYLE !== 'false',
  })
}
