import { f, numberSchema } from '#kit/resource/index.ts'
import { defineCall, objectSchema, textSchema } from '#kit/resource/index.ts'
import { camera } from './camera.resource.ts'
import { cameraIdField, recordingSpanFields } from './recordings.calls.ts'

export const downloadField = f.text({ label: { zh: '下载任务', en: 'Download task' }, required: true, max: 2000 })

/** Download recording. */
export const cameraRecordFileCall = defineCall({
  method: 'POST',
  path: `${camera.path}/recordFile`,
  input: { id: cameraIdField, ...recordingSpanFields },
  answer: objectSchema({ download: textSchema, name: textSchema }),
})

/** Recording download progress. */
export const cameraRecordProgressCall = defineCall({
  method: 'GET',
  path: `${camera.path}/recordProgress`,
  input: { download: downloadField },
  answer: objectSchema({ progress: numberSchema, address: textSchema }),
})
