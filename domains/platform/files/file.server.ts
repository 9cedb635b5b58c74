import { f } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type HttpReply } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { safeFileHeaders } from '#kit/server/storage/index.ts'
import sql from 'sql-template-tag'
import { attach } from './attach.resource.ts'
import { findReferencedFileKeys } from './named-files.ts'
import { oss } from './oss.resource.ts'
import {
  findFileByKey,
  FILE_URL_PATH,
  deleteStoredFiles,
  fileKeyOfLink,
  fileLinkOf,
  UPLOAD_BYTES_MAX,
  storeUploadedFile,
  type StoredFile,
} from './stored-file.ts'
import { runAtFileStore, findStoreOfFile } from './stores.ts'

export const FILE_LABEL = { zh: '文件', en: 'File' }
const FOREVER = 'public, max-age=31536000, immutable'

/** Opens the content of a file; undefined when it is gone. */
export async function openStoredFile(services: Services, file: StoredFile) {
  const place = await findStoreOfFile(services, file.tenantId, file.ossId)
  return place && runAtFileStore(place, (store) => store.get(file.key))
}

/** Replies with a stored file, with headers that prevent it from running scripts; 304 when unchanged. */
export async function replyWithStoredFile(call: Call, file: StoredFile, cacheControl: string): Promise<HttpReply> {
  const etag = `"${file.hash.slice(0, 32)}"`
  const headers = {
    ...safeFileHeaders({ name: file.originalName, contentType: file.contentType, inline: file.inline }),
    'cache-control': cacheControl,
    etag,
  }
  if (call.request.headers['if-none-match'] === etag) return call.reply({ status: 304, headers })
  const found = await openStoredFile(call.services, file)
  if (!found) throw new Refused('not_found', { label: FILE_LABEL })
  return call.reply({ headers: { ...headers, 'content-length': String(found.size) }, body: found.stream })
}

const label = { fileName: { zh: '文件名', en: 'File name' }, code: oss.fields.ossCode.label }
const fileName = f.longText({ label: label.fileName, max: 4000 })
const code = f.text({ label: label.code, max: 32 })
const base = `${oss.path}/endpoint`
const uploads = { signedIn: 'every form with a picture or file uploads' } as const

const upload = (path: string, isAttachment: boolean, zh: string, en: string) =>
  defineRoute({
    method: 'POST',
    path: `${base}/${path}`,
    title: { zh, en },
    can: uploads,
    tx: false,
    uploadMaxBytes: UPLOAD_BYTES_MAX,
    perMinute: 300,
    input: { code, fileName },
    handle: (call) => storeUploadedFile(call, { ...call.input, isAttachment }),
  })

/** Returns the file keys of a comma list, at most 200; clients name a file by its key or its link. */
const keysOf = (given: string | null): string[] =>
  (given ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(0, 200)
    .map((part) => fileKeyOfLink(part) ?? part)

/** Refuses files whose attachments a data scope hides from the caller. */
async function requireSeen({ caller }: Pick<Call, 'caller'>, db: Db, keys: readonly string[]): Promise<void> {
  const found = await db.one<{ all: number; seen: number }>(sql`
    select count(*)::int as all, (count(*) filter (where true${dataScopeSql(attach, caller)}))::int as seen
    from attach r where r.tenant_id = ${db.tenantId} and r.link = any(${keys.map(fileLinkOf)}) and r.is_deleted = 0`)
  if (found!.seen < found!.all) throw new Refused('not_found', { label: FILE_LABEL })
}

/**
 * Refuses to remove files that are neither attachments visible to the caller nor uploaded by them, and files a row
 * still refers to. Knowing a picture's address, as everybody does who sees its row, is not enough to remove it.
 */
async function requireRemovable(call: Call<any>, keys: readonly string[]): Promise<void> {
  const { db, caller } = call
  await requireSeen(call, db, keys)
  const theirs = await db.query<{ key: string }>(sql`
    select f.key from stored_file f where f.tenant_id = ${db.tenantId} and f.key = any(${keys})
    and not coalesce(f.is_private, false)
    and (f.create_user = ${caller.userId || '0'}
      or exists (select 1 from attach a where a.tenant_id = ${db.tenantId}
        and a.link = ${fileLinkOf('')} || f.key and a.is_deleted = 0))`)
  if (theirs.length < new Set(keys).size) throw new Refused('not_found', { label: FILE_LABEL })
  if ((await findReferencedFileKeys(call, db, keys)).size) throw new Refused('file_named')
}

/**
 * Returns the stored file of a key. Refuses if it is private, of another tenant (unless the caller is the platform), or
 * hidden by a data scope.
 */
export async function requireVisibleFile(call: Call<any>, key: string): Promise<StoredFile> {
  const file = await findFileByKey(call.services, key)
  if (!file || file.isPrivate || (!call.caller.isPlatform && file.tenantId !== call.caller.tenantId))
    throw new Refused('not_found', { label: FILE_LABEL })
  await call.services.unit({ tenantId: file.tenantId }, (db) => requireSeen(call, db, [key]))
  return file
}

async function ownFile(call: Call<{ fileName: string | null }>): Promise<StoredFile> {
  const [key] = keysOf(call.input.fileName)
  if (!key) throw new Refused('missing_parameter', { name: 'fileName' })
  return requireVisibleFile(call, key)
}

async function removeFiles(call: Call<{ fileName: string | null; fileNames?: string | null }>): Promise<void> {
  const keys = keysOf(call.input.fileName ?? call.input.fileNames ?? null)
  if (!keys.length) throw new Refused('nothing_chosen')
  await requireRemovable(call, keys)
  if ((await deleteStoredFiles(call.db, keys)) < new Set(keys).size)
    throw new Refused('not_found', { label: FILE_LABEL })
  await call.db.run(
    sql`update attach set is_deleted = 1, update_time = now() where tenant_id = ${call.db.tenantId}
      and link = any(${keys.map(fileLinkOf)}) and is_deleted = 0`,
  )
}

export const fileRoutes = [
  upload('put-file', false, '上传文件', 'Upload file'),
  upload('put-file-attach', true, '上传附件', 'Upload attachment'),
  upload('put-file-by-name', false, '按名称上传文件', 'Upload file by name'),
  upload('put-file-attach-by-name', true, '按名称上传附件', 'Upload attachment by name'),
  defineRoute({
    method: 'GET',
    path: `${FILE_URL_PATH}*`,
    title: { zh: '读取文件', en: 'Read file' },
    can: { open: 'images load without headers; the key cannot be guessed' },
    tx: false,
    handle: async (call) => {
      const file = await findFileByKey(call.services, call.query['*'] ?? '')
      if (!file || file.isPrivate) throw new Refused('not_found', { label: FILE_LABEL })
      return replyWithStoredFile(call, file, FOREVER)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/remove-file`,
    title: { zh: '删除文件', en: 'Delete file' },
    can: 'attach_delete',
    input: { fileName },
    handle: removeFiles,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/remove-files`,
    title: { zh: '删除文件', en: 'Delete files' },
    can: 'attach_delete',
    input: { fileName, fileNames: fileName },
    handle: removeFiles,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/file-path`,
    title: { zh: '文件路径', en: 'File path' },
    can: 'attach',
    tx: false,
    input: { fileName },
    handle: async (call) => (await ownFile(call)).key,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/file-link`,
    title: { zh: '文件地址', en: 'File URL' },
    can: 'attach',
    tx: false,
    input: { fileName },
    handle: async (call) => fileLinkOf((await ownFile(call)).key),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/stat-file`,
    title: { zh: '文件信息', en: 'File info' },
    can: 'attach',
    tx: false,
    input: { fileName },
    handle: async (call) => {
      const { key, originalName, hash, size, createTime, contentType } = await ownFile(call)
      return { link: fileLinkOf(key), name: key, originalName, hash, length: size, putTime: createTime, contentType }
    },
  }),
]
