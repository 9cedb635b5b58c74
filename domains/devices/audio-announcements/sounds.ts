import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  readStoredFile,
  PROVIDER_ENABLED_STATUS,
  findTenantFileByLink,
  storeFile,
  secretCipherOf,
} from '#domains/platform/files/api.ts'
import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import type { audioConf } from './audio-conf.resource.ts'
import {
  encodeALawWav,
  normaliseSoundVolume,
  readWav,
  resampleSound,
  UnreadableSoundError,
  encodeWav,
  type SampledSound,
} from './sound.ts'
import {
  speak,
  vendorVoiceName,
  type SpeechEngineConfig,
  type SpeechRequest,
  type SpeechVoice,
} from './speech.client.ts'
import { isLocalSpeechInstalled } from './speech-local.client.ts'
import { SpeechRejectedError } from './speech-refused.ts'
import { speechEngine } from './speech-engine.resource.ts'

type Audio = RowOf<typeof audioConf>

/**
 * Cache of generated sounds, shared by all shops of a tenant. The hash covers the engine, voice, speed, pitch and text,
 * or the recording.
 */
export const announcementSoundTable = defineTable({
  name: 'announcement_sound',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'hash'],
  columns: {
    tenant_id: 'text not null',
    hash: 'text not null',
    link: 'text not null',
    alaw_link: 'text',
    seconds: 'integer',
    create_time: 'timestamptz(3) not null default now()',
  },
})

export type AnnouncementSound = { link: string; alawLink: string | null; seconds: number | null }

/** Returns the tenant's enabled engine, else espeak-ng where it is installed on the server, else undefined. */
export async function findSpeechEngineConfig(db: Db, services: Services): Promise<SpeechEngineConfig | undefined> {
  const [row] = await db.find(speechEngine, sql`r.status = ${PROVIDER_ENABLED_STATUS}`)
  if (!row) return (await isLocalSpeechInstalled()) ? localEngine : undefined
  return {
    category: row.category as SpeechEngineConfig['category'],
    accessKey: row.accessKey ?? '',
    secretKey: secretCipherOf(services).open(row.secretKey ?? ''),
    appKey: row.appKey ?? '',
    region: row.region ?? '',
    endpoint: row.endpoint ?? '',
    mayBeInside: row.mayBeInside !== false,
    voices: { female: row.femaleVoice ?? '', male: row.maleVoice ?? '', child: row.childVoice ?? '' },
  }
}

const localEngine: SpeechEngineConfig = {
  category: 'local',
  accessKey: '',
  secretKey: '',
  appKey: '',
  region: '',
  endpoint: '',
  mayBeInside: true,
  voices: {},
}

const hashOf = (...parts: unknown[]) => createHash('sha256').update(parts.join('|')).digest('hex')

const speechOf = ({ text, voice, speed, pitch }: Audio): SpeechRequest => ({
  text,
  voice: voice as SpeechVoice,
  speed: speed ?? 1,
  pitch: pitch ?? 1,
})

/** Returns an announcement's sound: its recording, a cached sound of the same text, or a newly synthesised one. */
export async function obtainAnnouncementSound(services: Services, audio: Audio): Promise<AnnouncementSound> {
  const { tenantId } = audio
  if (audio.recording) {
    const { recording } = audio
    return cached(services, tenantId, hashOf('recording', recording), () => ofRecording(services, tenantId, recording))
  }
  const engine = await services.unit({ tenantId }, (db) => findSpeechEngineConfig(db, services))
  if (!engine) throw new SpeechRejectedError('no_engine', 'no engine')
  const speech = speechOf(audio)
  const hash = hashOf(engine.category, vendorVoiceName(engine, speech.voice), speech.speed, speech.pitch, speech.text)
  return cached(services, tenantId, hash, async () =>
    keepSound(services, tenantId, await spoken(services, tenantId, engine, speech)),
  )
}

async function cached(
  services: Services,
  tenantId: string,
  hash: string,
  make: () => Promise<AnnouncementSound>,
): Promise<AnnouncementSound> {
  const known = await services.unit({ tenantId }, (db) =>
    db.one<AnnouncementSound>(sql`select link, alaw_link, seconds from announcement_sound where tenant_id = ${tenantId}
      and hash = ${hash}`),
  )
  // Somebody may have removed the file since.
  if (known && (await findTenantFileByLink(services, tenantId, known.link))) return known
  const made = await make()
  await services.unit({ tenantId }, (db) =>
    db.run(sql`insert into announcement_sound (tenant_id, hash, link, alaw_link, seconds)
      values (${tenantId}, ${hash}, ${made.link}, ${made.alawLink}, ${made.seconds})
      on conflict (tenant_id, hash) do update set link = excluded.link, alaw_link = excluded.alaw_link,
        seconds = excluded.seconds`),
  )
  return made
}

function spoken(
  services: Services,
  tenantId: string,
  engine: SpeechEngineConfig,
  speech: SpeechRequest,
): Promise<SampledSound> {
  if (engine.category === 'local') return speak(engine, speech)
  const url = engine.endpoint || `speech/${engine.category}`
  return callAndLogExternal(
    services,
    { tenantId, system: 'speech', method: 'POST', url, request: speech },
    () => speak(engine, speech),
    ({ samples, rate }) => ({ bizCode: 'OK', response: { milliseconds: Math.round((samples.length / rate) * 1000) } }),
  )
}

/** Sample rate for browsers and gateways. */
const RATE = 16_000
/** Sample rate for cameras. */
const CAMERA_RATE = 8_000

async function keepSound(services: Services, tenantId: string, sound: SampledSound): Promise<AnnouncementSound> {
  const even = normaliseSoundVolume(await resampleSound(sound, RATE))
  await setImmediate()
  const wav = await storeFile(services, { tenantId, bytes: encodeWav(even), name: 'announcement.wav' })
  const forCameras = encodeALawWav(await resampleSound(even, CAMERA_RATE))
  const aLaw = await storeFile(services, { tenantId, bytes: forCameras, name: 'announcement-alaw.wav' })
  return { link: wav.link, alawLink: aLaw.link, seconds: Math.ceil(even.samples.length / RATE) }
}

/** Kinds of files a recording may be. */
const RECORDINGS = ['wav', 'mp3']

export async function findRecordingFile(services: Services, tenantId: string, link: string) {
  const file = await findTenantFileByLink(services, tenantId, link)
  return file && RECORDINGS.includes(file.extension) ? file : undefined
}

/**
 * Brings a WAV recording to the common rates and loudness. Other files are played as they are and have no A-law copy.
 */
async function ofRecording(services: Services, tenantId: string, link: string): Promise<AnnouncementSound> {
  const file = await findRecordingFile(services, tenantId, link)
  const bytes = file && (await readStoredFile(services, file))
  if (!bytes) throw new SpeechRejectedError('recording', 'the recording is gone')
  if (file.extension !== 'wav') return { link, alawLink: null, seconds: null }
  try {
    return await keepSound(services, tenantId, readWav(bytes))
  } catch (error) {
    if (error instanceof UnreadableSoundError) return { link, alawLink: null, seconds: null }
    throw error
  }
}
