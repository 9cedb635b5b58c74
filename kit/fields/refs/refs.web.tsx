import { refWebKind } from '../ref/ref.web.tsx'
import type { WebFieldKind } from '../web-kind.ts'

export const refsWebKind: WebFieldKind = { ...refWebKind, width: 200, savesOnChoice: false }
