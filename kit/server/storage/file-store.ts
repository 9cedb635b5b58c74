import type { Readable } from 'node:stream'

export type FileFacts = { contentType: string; size: number; modifiedAt: Date }
type StoredFile = FileFacts & { stream: Readable }
export type FileBody = Uint8Array | Readable

/** Where files lie. Keys look like paths ("100001/upload/20260301/….jpg"); any other shape is an error. */
export type FileStore = {
  /** Creates what the store needs (folder, bucket); also the proof that the settings are right. */
  prepare(): Promise<void>
  /** A file is there whole or not at all; a key written again is replaced. */
  put(key: string, body: FileBody, options: { contentType: string }): Promise<void>
  get(key: string): Promise<StoredFile | undefined>
  stat(key: string): Promise<FileFacts | undefined>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  list(prefix: string): Promise<string[]>
  /** Removes a folder with all that lies in it, and answers how many files that were. */
  clear(folder: string): Promise<number>
  /** Throws when the store cannot be used. */
  ping(): Promise<void>
}

const keyShape = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const keyLengthMax = 400

/** Keys are made by us from ids; a key of another shape comes from a trick with paths. */
export function requireFileKey(key: string): string {
  if (key.length > keyLengthMax || !keyShape.test(key)) throw new Error(`"${key.slice(0, 80)}" is no file key`)
  return key
}
