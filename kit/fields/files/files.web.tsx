import { FilesCell } from '../file/file.web.tsx'
import { UploadInput } from '../picture/picture.web.tsx'
import type { WebKind } from '../web-kind.ts'

export const filesWeb: WebKind = { Cell: FilesCell, Input: UploadInput, width: 200, wide: true }
