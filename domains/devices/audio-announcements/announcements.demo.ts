import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { PROVIDER_ENABLED_STATUS, secretCipherOf } from '#domains/platform/files/api.ts'
import { enqueueAnnouncementSound } from './sound.job.ts'
import { audioConf } from './audio-conf.resource.ts'
import { speechEngine } from './speech-engine.resource.ts'

/** Address and credentials of the simulated speech engine, which change with every start of the demo. */
type DemoEngine = { endpoint: string; accessKey: string; secretKey: string; appKey: string }

const NAME = '模拟语音'

/**
 * Points the demo tenant's speech engine at this start's simulator, and creates it unless another engine is enabled.
 */
export async function seedSpeechEngine(
  db: Db,
  services: Services,
  { secretKey, ...engine }: DemoEngine,
): Promise<void> {
  const draft = { ...engine, secretKey: secretCipherOf(services).seal(secretKey), mayBeInside: true }
  const [was] = await db.find(speechEngine, sql`r.name = ${NAME}`)
  if (was) return void (await db.update(speechEngine, was.id, draft))
  const [other] = await db.find(speechEngine, sql`r.status = ${PROVIDER_ENABLED_STATUS}`)
  if (other) return
  await db.insert(speechEngine, { ...draft, name: NAME, category: 'aliyun', status: PROVIDER_ENABLED_STATUS })
  // Announcements of the demo data that have no sound yet are synthesised now that there is an engine.
  for (const audio of await db.find(audioConf, sql`r.state = 'NONE'`)) await enqueueAnnouncementSound(db, audio.id)
}
