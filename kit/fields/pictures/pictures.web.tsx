import { PicturesCell, PictureInput } from '../picture/picture.web.tsx'
import type { WebFieldKind } from '../web-kind.ts'

export const picturesWebKind: WebFieldKind = { Cell: PicturesCell, Input: PictureInput, width: 130, wide: true }
