import { f, defineCall, objectSchema, textSchema } from '#kit/resource/index.ts'
import { camera } from './camera.resource.ts'

/** Start two-way audio. */
export const cameraBeginTalkCall = defineCall({
  method: 'POST',
  path: `${camera.path}/beginTalk`,
  input: { id: f.ref('', { label: camera.label, required: true }) },
  answer: objectSchema({ address: textSchema }),
})
