import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { safeFileHeaders } from '#kit/server/storage/index.ts'
import { attach } from './attach.resource.ts'
import { downloadPublicUrl } from './by-address.ts'
import { FILE_LABEL, requireVisibleFile, replyWithStoredFile } from './file.server.ts'
import { fileKeyOfLink } from './stored-file.ts'

/** Returns the key of a stored file from a URL's path, also percent-encoded; undefined for other paths. */
function keyOfPath(pathname: string): string | undefined {
  try {
    return fileKeyOfLink(decodeURIComponent(pathname))
  } catch {
    return undefined
  }
}

/** Downloads from a URL. On this server only stored files the caller may see; other URLs must be public. */
export const downloadByUrlRoute = defineRoute({
  method: 'GET',
  path: `${attach.path}/download-by-url`,
  title: { zh: '按地址下载', en: 'Download by address' },
  can: { signedIn: 'pages save files by their addresses; inside only those the reader may see, all others outside' },
  tx: false,
  perMinute: 30,
  input: { url: f.text({ label: { zh: '地址', en: 'Address' }, required: true, max: 2000 }) },
  handle: async (call) => {
    const own = new URL(call.services.config.publicUrl)
    const given = call.input.url.trim()
    if (!URL.canParse(given, own.href)) throw new Refused('bad_parameter', { name: 'url' })
    const url = new URL(given, own.href)
    if (url.origin !== own.origin) {
      const { name, contentType, size, body } = await downloadPublicUrl(url)
      const headers = safeFileHeaders({ name, contentType, inline: false })
      headers['cache-control'] = 'no-store'
      if (size) headers['content-length'] = size
      return call.reply({ headers, body })
    }
    const key = keyOfPath(url.pathname)
    if (!key) throw new Refused('not_found', { label: FILE_LABEL })
    return replyWithStoredFile(call, { ...(await requireVisibleFile(call, key)), inline: false }, 'no-store')
  },
})
