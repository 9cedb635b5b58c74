import {
  f,
  defineCall,
  objectSchema,
  textSchema,
  booleanSchema,
  arraySchema,
  rowIdSchema,
  nullableSchema,
  integerSchema,
} from '#kit/resource/index.ts'
import { camera } from './camera.resource.ts'

export const videoMomentIdField = f.ref('', { label: { zh: '对应记录', en: 'Related record' }, required: true })

const KINDS = 'visit|door|order|event|count'

export const videoMomentKindField = f.text({
  label: { zh: '事由', en: 'Reason' },
  required: true,
  pattern: `^(${KINDS})$`,
  sample: 'visit',
})

/** Event video. */
export const momentVideoCall = defineCall({
  method: 'GET',
  path: `${camera.path}/beside`,
  input: { kind: videoMomentKindField, id: videoMomentIdField },
  answer: objectSchema({
    at: textSchema,
    until: textSchema,
    canRecord: booleanSchema,
    cameras: arraySchema(
      objectSchema({
        id: rowIdSchema,
        name: textSchema,
        isOnline: booleanSchema,
        clockError: nullableSchema(integerSchema),
      }),
    ),
    pictures: arraySchema(
      objectSchema({
        id: rowIdSchema,
        picture: nullableSchema(textSchema),
        takenTime: textSchema,
        cameraId: nullableSchema(textSchema),
      }),
    ),
  }),
})
