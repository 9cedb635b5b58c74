import { defineCall, arraySchema, objectSchema, integerSchema, textSchema } from '#kit/resource/index.ts'
import { camera } from './camera.resource.ts'
import { cameraIdField } from './recordings.calls.ts'

/** List presets. */
export const cameraPresetsCall = defineCall({
  method: 'GET',
  path: `${camera.path}/presets`,
  input: { id: cameraIdField },
  answer: arraySchema(objectSchema({ no: integerSchema, name: textSchema })),
})
