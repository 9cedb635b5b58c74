import { f } from '#kit/resource/index.ts'
import { defineCall, arraySchema, objectSchema, textSchema } from '#kit/resource/index.ts'
import { camera } from './camera.resource.ts'

const time = (zh: string, en: string) => f.datetime({ label: { zh, en }, required: true })

export const recordingSpanFields = { startTime: time('开始时间', 'Start'), endTime: time('结束时间', 'End') }

export const cameraIdField = f.ref('', { label: camera.label, required: true })

/** List recordings. */
export const cameraRecordsCall = defineCall({
  method: 'GET',
  path: `${camera.path}/records`,
  input: { id: cameraIdField, ...recordingSpanFields },
  answer: arraySchema(objectSchema({ startTime: textSchema, endTime: textSchema, type: textSchema })),
})
