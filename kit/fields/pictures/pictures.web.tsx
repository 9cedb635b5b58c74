import { PicturesCell, PictureInput } from '../picture/picture.web.tsx'
import type { WebKind } from '../web-kind.ts'

export const picturesWeb: WebKind = { Cell: PicturesCell, Input: PictureInput, width: 130, wide: true }
