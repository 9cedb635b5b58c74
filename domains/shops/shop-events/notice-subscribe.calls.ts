import {
  f,
  defineCall,
  objectSchema,
  enumSchema,
  recordSchema,
  arraySchema,
  textSchema,
  booleanSchema,
} from '#kit/resource/index.ts'
import { noticeSubscribe } from './notice-subscribe.resource.ts'

const { shopIds, quietStart, quietEnd, enabled } = noticeSubscribe.fields

/** My notification subscriptions. */
export const noticeSubscribeMineCall = defineCall({
  method: 'GET',
  path: `${noticeSubscribe.path}/mine`,
  answer: objectSchema({
    wechat: enumSchema('ready', 'unset', 'untied'),
    cells: recordSchema(arraySchema(textSchema)),
    shopIds: arraySchema(textSchema),
    quietStart: textSchema,
    quietEnd: textSchema,
    enabled: booleanSchema,
  }),
})

/** Save my notification subscriptions. */
export const mineSaveCall = defineCall({
  method: 'POST',
  path: `${noticeSubscribe.path}/mine/save`,
  input: {
    cells: f.json({ label: noticeSubscribe.fields.eventTypes.label, required: true, max: 4000 }),
    shopIds: { ...shopIds, to: '' },
    quietStart,
    quietEnd,
    enabled,
  },
  answer: objectSchema({
    cells: recordSchema(arraySchema(textSchema)),
    shopIds: arraySchema(textSchema),
    quietStart: textSchema,
    quietEnd: textSchema,
    enabled: booleanSchema,
    wechat: enumSchema('ready', 'unset', 'untied'),
  }),
})
