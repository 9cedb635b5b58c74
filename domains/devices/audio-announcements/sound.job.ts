import type { Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { audioConf } from './audio-conf.resource.ts'
import { obtainAnnouncementSound, type AnnouncementSound } from './sounds.ts'
import { SpeechRejectedError } from './speech-refused.ts'

const announcementSoundQueue = defineQueue<{ id: string; ask: string }>('announcement.sound')
const ATTEMPTS = 3

const NO_ANSWER = defineSystemText({ zh: '语音引擎没有应答', en: 'The engine did not respond' })
const OURS: Record<string, string> = {
  no_engine: defineSystemText({ zh: '没有启用的语音引擎', en: 'No text-to-speech engine is active' }),
  not_installed: defineSystemText({ zh: '本机没有安装 espeak-ng', en: 'espeak-ng is not installed on this machine' }),
  no_sound: defineSystemText({ zh: '语音引擎返回的不是可用的音频', en: 'The engine returned no usable audio' }),
  recording: defineSystemText({ zh: '录音文件已不存在', en: 'The recording no longer exists' }),
}

const reasonOf = (error: unknown): string =>
  error instanceof SpeechRejectedError
    ? (OURS[error.code] ?? `${error.code} ${error.message}`).slice(0, 300)
    : NO_ANSWER

/** Queues a job that generates the announcement's sound. Results of earlier requests are discarded. */
export async function enqueueAnnouncementSound(db: Db, id: string): Promise<void> {
  const ask = newId()
  const row = await db.update(audioConf, id, { state: 'GENERATING', failReason: null, soundAsk: ask })
  await db.enqueue(announcementSoundQueue, { id, ask }, { key: ask })
  publishRowsChanged({ db }, audioConf, [row])
}

/** Generates the sound of an announcement. Does nothing when a newer request exists. */
export const makeAnnouncementSoundJob = defineModuleJob({
  queue: announcementSoundQueue,
  concurrency: 2,
  run: async ({ id, ask }, { services, tenantId, attempt }) => {
    const audio = await services.unit({ tenantId }, (db) => db.get(audioConf, id))
    if (audio?.soundAsk !== ask) return
    let made: AnnouncementSound | undefined
    let failReason: string | null = null
    try {
      made = await obtainAnnouncementSound(services, audio)
    } catch (error) {
      if (!(error instanceof SpeechRejectedError) && attempt < ATTEMPTS) throw error
      services.log.warn({ err: error, audio: id }, 'the sound of an announcement could not be made')
      failReason = reasonOf(error)
    }
    await saveRecording(services, tenantId, { id, ask }, made, failReason)
  },
})

async function saveRecording(
  services: Services,
  tenantId: string,
  { id, ask }: { id: string; ask: string },
  made: AnnouncementSound | undefined,
  failReason: string | null,
): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    const now = await db.get(audioConf, id, 'forUpdate')
    if (now?.soundAsk !== ask) return
    const row = await db.update(audioConf, id, {
      state: made ? 'READY' : 'FAILED',
      failReason,
      audioUrl: made?.link ?? null,
      alawUrl: made?.alawLink ?? null,
      seconds: made?.seconds ?? null,
      soundAsk: null,
    })
    publishRowsChanged({ db }, audioConf, [row])
  })
}
