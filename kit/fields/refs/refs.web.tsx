import { refWeb } from '../ref/ref.web.tsx'
import type { WebKind } from '../web-kind.ts'

export const refsWeb: WebKind = { ...refWeb, width: 200, savesOnChoice: false }
