import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { enableOnlyProviderRow, maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import {
  deviceTransportSlot,
  findGatewayOfShop,
  requireDeviceLink,
  deviceCommandRefusal,
  waitForCommand,
  type DeviceCommand,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'
import { announcementLog } from './announcement-log.resource.ts'
import { audioConfPlayCall } from './announcements.calls.ts'
import { audioConf } from './audio-conf.resource.ts'
import { playAnnouncementOnCamera } from './camera-voice.ts'
import { audioPlayCommand, playAnnouncementOnDevice, type AnnouncementRow } from './play.ts'
import './refusals.ts'
import { enqueueAnnouncementSound } from './sound.job.ts'
import { findSpeechEngineConfig, findRecordingFile } from './sounds.ts'
import { speechEngine } from './speech-engine.resource.ts'

/** The fields the sound is generated from. A change of one discards the sound. */
const MADE_OF = ['text', 'voice', 'speed', 'pitch', 'recording'] as const
const SPEECH_MAX = 300

async function requestAnnouncementSound(audio: AnnouncementRow, { db, services }: Call) {
  if (audio.recording) {
    if (!(await findRecordingFile(services, db.tenantId, audio.recording))) throw new Refused('recording_unusable')
  } else {
    if (Array.from(audio.text).length > SPEECH_MAX) throw new Refused('speech_too_long', { max: SPEECH_MAX })
    if (!(await findSpeechEngineConfig(db, services))) throw new Refused('no_speech_engine')
  }
  await enqueueAnnouncementSound(db, audio.id)
  return { id: audio.id, state: 'GENERATING' }
}

export const audioConfServer = serve(audioConf, {
  beforeSave: (draft, was) => {
    const isOther = MADE_OF.some((key) => draft[key] !== undefined && draft[key] !== (was?.[key] ?? null))
    if (was && isOther)
      Object.assign(draft, {
        state: 'NONE',
        failReason: null,
        audioUrl: null,
        alawUrl: null,
        seconds: null,
        soundAsk: null,
      } satisfies Partial<AnnouncementRow>)
  },
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'failReason', lang),
  actions: { genAudio: (row, _input, call) => requestAnnouncementSound(row, call) },
})

export const speechEngineServer = serve(speechEngine, {
  beforeSave: (draft, was, call) => {
    prepareProviderDraft(speechEngine, draft, was, call)
  },
  present: (wire) => maskProviderSecrets(wire),
  actions: {
    enable: (row, _input, call) => enableOnlyProviderRow(speechEngine, row.id, call),
    disable: (row, _input, { db }) => db.update(speechEngine, row.id, { status: 1 }).then(() => undefined),
  },
})

export const announcementLogServer = serve(announcementLog, {
  without: ['submit', 'remove'],
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'message', lang),
})

/** Matches a camera's GB28181 id (twenty digits), to tell it from the number of a gateway. */
const CAMERA = /^\d{20}$/

async function speakerOf(db: Db, { caller }: Call, audio: AnnouncementRow, gbId: string | null): Promise<DeviceLink> {
  if (!gbId) {
    const link = await findGatewayOfShop(db, audio.shopId)
    if (!link) throw new Refused('shop_without_gateway')
    return link
  }
  const link = await requireDeviceLink({ db, caller }, gbId)
  if (link.kind !== 'gateway') throw new Refused('no_speaker', { name: link.name })
  return link
}

type PlaybackTarget = { audio: AnnouncementRow; link: DeviceLink; command: DeviceCommand; tenantId: string }

/** Sends the play command in the announcement's tenant, as a platform administrator may belong to another one. */
async function askToPlay(call: Call, id: string, gbId: string | null): Promise<PlaybackTarget> {
  const { caller, services } = call
  const play = async (db: Db): Promise<PlaybackTarget> => {
    const [audio] = await db.find(audioConf, sql`r.id = ${id}${dataScopeSql(audioConf, caller)}`)
    if (!audio) throw new Refused('not_found', { label: audioConf.label })
    const link = await speakerOf(db, call, audio, gbId)
    const cause = { why: 'manual', source: 'office', userId: caller.userId } as const
    const command = await playAnnouncementOnDevice(db, services, { audio, link, cause })
    if (!command) throw new Refused('audio_not_ready', { name: audio.name })
    return { audio, link, command, tenantId: db.tenantId }
  }
  return services.unit(
    { tenantId: caller.tenantId },
    (db) => inTenantOf({ ...call, db }, audioConf, id, play),
    actorOfCaller(caller),
  )
}

/** Plays through a camera and answers once it has begun. The end appears in the playback log. */
async function playThrough(call: Call<{ id: string }>, gbId: string) {
  const { caller, services, input } = call
  const play = async (db: Db) => {
    const [audio] = await db.find(audioConf, sql`r.id = ${input.id}${dataScopeSql(audioConf, caller)}`)
    if (!audio) throw new Refused('not_found', { label: audioConf.label })
    const cause = { why: 'manual', userId: caller.userId }
    const { id, state } = await playAnnouncementOnCamera(db, services, { audio, gbId, caller, cause })
    return { playId: id, state, durationSec: audio.seconds ?? 0 }
  }
  return services.unit(
    { tenantId: caller.tenantId },
    (db) => inTenantOf({ ...call, db }, audioConf, input.id, play),
    actorOfCaller(caller),
  )
}

async function play(call: Call<{ id: string; gbId: string | null }>) {
  const { services, input } = call
  if (input.gbId && CAMERA.test(input.gbId)) return playThrough(call, input.gbId)
  if (!services.slots.find(deviceTransportSlot)) throw new Refused('no_device_line')
  const { audio, link, command, tenantId } = await askToPlay(call, input.id, input.gbId)
  const { id } = command
  // Playing takes as long as the sound is. The caller gets an answer once it has begun and sees the end in the steps of
  // the command.
  const now =
    command.state === 'refused'
      ? command
      : await waitForCommand(services, tenantId, id, { until: 'taken', maxMs: audioPlayCommand.ackTimeoutMs + 1_000 })
  const refusal = deviceCommandRefusal(now, link)
  if (refusal) throw refusal
  return { playId: id, cmdId: id, state: now.state, durationSec: audio.seconds ?? 0 }
}

export const announcementRoutes = [
  defineRoute(audioConfPlayCall, {
    title: { zh: '播放语音', en: 'Play an announcement' },
    can: 'audioConf_play',
    tx: false,
    handle: play,
  }),
]
