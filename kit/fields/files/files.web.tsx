import { FilesCell } from '../file/file.web.tsx'
import { UploadInput } from '../picture/picture.web.tsx'
import type { WebFieldKind } from '../web-kind.ts'

export const filesWebKind: WebFieldKind = { Cell: FilesCell, Input: UploadInput, width: 200, wide: true }
