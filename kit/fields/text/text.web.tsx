import { LineCell, LineInput } from '../plain.web.tsx'
import type { WebKind } from '../web-kind.ts'

export const textWeb: WebKind = { Cell: LineCell, Input: LineInput, width: 160, drawnAs: 'text' }
