import { attach } from './attach.resource.ts'
import { f, defineCall, objectSchema, textSchema } from '#kit/resource/index.ts'

/** Download attachment. */
export const attachTicketCall = defineCall({
  method: 'POST',
  path: `${attach.path}/ticket`,
  input: { id: f.ref('', { label: { zh: '编号', en: 'ID' }, required: true }) },
  answer: objectSchema({ ticket: textSchema, url: textSchema }),
})
