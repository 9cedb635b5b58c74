import { f, defineCall, objectSchema, textSchema, integerSchema, nullableSchema } from '#kit/resource/index.ts'
import { audioConf } from './audio-conf.resource.ts'

/** Play an announcement. */
export const audioConfPlayCall = defineCall({
  method: 'GET',
  path: `${audioConf.path}/play`,
  input: {
    id: f.ref('', { label: audioConf.label, required: true }),
    gbId: f.text({ label: { zh: '播放设备编号', en: 'Device ID' }, max: 64 }),
  },
  answer: objectSchema(
    { playId: textSchema, cmdId: textSchema, state: nullableSchema(textSchema), durationSec: integerSchema },
    ['cmdId'],
  ),
})
