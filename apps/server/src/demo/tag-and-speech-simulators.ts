import { importAnnouncementsDemo } from '#domains/devices/audio-announcements/api.ts'
import { importShelfLabelsDemo, type StoryEslProvider } from '#domains/devices/shelf-labels/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { speechAccount, startSpeechSimulator } from '#simulators/speech/speech.simulator.ts'
import { eslAccount, startCloudEsl } from '#simulators/tags/cloud-esl.simulator.ts'
import { startOpenEPaperLink } from '#simulators/tags/open-epaper-link.simulator.ts'

const TAGS = 8
/** Interval at which a simulated tag asks the access point for its image. */
const CHECK_IN_MS = 15_000

/** The label systems a tenant gets. The tags of the access point belong to one tenant only. */
type Has = { accessPoint: boolean; cloud: boolean }

const startAll = () =>
  Promise.all([startOpenEPaperLink({ tags: TAGS, checkInMs: CHECK_IN_MS }), startCloudEsl(), startSpeechSimulator()])
type Started = Awaited<ReturnType<typeof startAll>>

function carriersOf([ap, cloud]: Started, tenantId: string, has: Has): StoryEslProvider[] {
  const carriers: StoryEslProvider[] = []
  if (has.accessPoint)
    carriers.push({ brand: 'openEPaperLink', name: '店内基站', endpoint: ap.url, tagIds: [...ap.tags.keys()] })
  if (has.cloud)
    carriers.push({
      brand: 'cloudEsl',
      name: '价签云',
      endpoint: cloud.url,
      user: eslAccount.userName,
      secret: eslAccount.password,
      tagIds: Array.from({ length: TAGS }, (_none, at) => `C${tenantId}-${at + 1}`),
    })
  return carriers
}

async function connect(services: Services, started: Started, tenantId: string, has: Has): Promise<void> {
  const [{ seedSpeechEngine: connectSpeech }, { seedEslProviders: connectCarriers }] = await Promise.all([
    importAnnouncementsDemo(),
    importShelfLabelsDemo(),
  ])
  await services.unit({ tenantId }, async (db) => {
    await connectSpeech(db, services, { ...speechAccount, endpoint: started[2].url })
    await connectCarriers(db, services, carriersOf(started, tenantId, has))
  })
}

/**
 * Starts the simulators of tags without a gateway (access point and cloud) and of speech synthesis, shared by all
 * tenants. Returns at once, without waiting for their start.
 */
export function startTagAndSpeechSimulators(services: Services) {
  const started = startAll()
  let work: Promise<unknown> = started
  return {
    /** Points a tenant's accounts to this start's simulators. */
    connect(tenantId: string, has: Has): void {
      work = work
        .then(async () => connect(services, await started, tenantId, has))
        .catch((err: unknown) => services.log.warn({ err, tenantId }, 'tags and announcements could not be connected'))
    },
    async close(): Promise<void> {
      await work
      for (const one of await started) await one.close()
    },
  }
}
