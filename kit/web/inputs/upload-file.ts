import { apiUpload } from '../http/http.ts'

type Uploaded = { link: string; name: string; originalName?: string }

/** Uploads a file to the tenant's store and returns its link. Throws refusals without a toast. */
export const uploadFile = (file: File, onProgress?: (share: number) => void): Promise<Uploaded> =>
  apiUpload<Uploaded>('/api/blade-resource/oss/endpoint/put-file', file, { quiet: true, onProgress })

/** Returns the decoded file name at the end of a link. */
export function fileNameFromLink(link: string): string {
  const last = link.split(/[?#]/)[0]!.split('/').pop() || link
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export const formatKilobytes = (kb: number) => (kb >= 1024 ? `${Math.round((kb / 1024) * 10) / 10} MB` : `${kb} KB`)

/**
 * Returns whether a file is of an accepted type: a content type, `image/*`, or an ending such as `.pdf`. All are
 * accepted if `accept` is empty.
 */
export const isAcceptedFileType = (file: { name: string; type: string }, accept: readonly string[] | undefined) =>
  !accept?.length ||
  accept.some((one) =>
    one.startsWith('.')
      ? file.name.toLowerCase().endsWith(one.toLowerCase())
      : one.endsWith('/*')
        ? file.type.startsWith(one.slice(0, -1))
        : file.type === one,
  )
