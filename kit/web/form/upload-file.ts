import { apiUpload } from '../http.ts'

type Uploaded = { link: string; name: string; originalName?: string }

/** Puts a file into the tenant's store and answers its link. Refusals are thrown, not toasted. */
export const uploadFile = (file: File, onProgress?: (share: number) => void): Promise<Uploaded> =>
  apiUpload<Uploaded>('/api/blade-resource/oss/endpoint/put-file', file, { quiet: true, onProgress })

/** The readable name at the end of a link. */
export function fileNameFromLink(link: string): string {
  const last = link.split(/[?#]/)[0]!.split('/').pop() || link
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export const formatKilobytes = (kb: number) => (kb >= 1024 ? `${Math.round((kb / 1024) * 10) / 10} MB` : `${kb} KB`)

/** Whether a file is of an accepted type: content types, `image/*`, or endings such as `.pdf`. */
export const isAcceptedFileType = (file: { name: string; type: string }, accept: readonly string[] | undefined) =>
  !accept?.length ||
  accept.some((one) =>
    one.startsWith('.')
      ? file.name.toLowerCase().endsWith(one.toLowerCase())
      : one.endsWith('/*')
        ? file.type.startsWith(one.slice(0, -1))
        : file.type === one,
  )
