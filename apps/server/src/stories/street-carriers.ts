import { importAnnouncementsStory } from '#domains/devices/audio-announcements/api.ts'
import { importShelfLabelsStory, type StoryEslProvider } from '#domains/devices/shelf-labels/api.ts'
import type { Services } from '#kit/server/services.ts'
import { speechAccount, startSpeechSimulator } from '#simulators/speech/speech.simulator.ts'
import { eslAccount, startCloudEsl } from '#simulators/tags/cloud-esl.simulator.ts'
import { startOpenEPaperLink } from '#simulators/tags/open-epaper-link.simulator.ts'

const TAGS = 8
/** A tag of the access point looks for its picture so often. */
const CHECK_IN_MS = 15_000

/** What a tenant has of them; what an access point has in reach is one tenant's alone. */
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
    importAnnouncementsStory(),
    importShelfLabelsStory(),
  ])
  await services.unit({ tenantId }, async (db) => {
    await connectSpeech(db, services, { ...speechAccount, endpoint: started[2].url })
    await connectCarriers(db, services, carriersOf(started, tenantId, has))
  })
}

/**
 * Who brings pictures to tags that no gateway speaks to, and who speaks the announcements: for all of the street, which
 * opens without waiting for them.
 */
export function startTagAndSpeechSimulators(services: Services) {
  const started = startAll()
  let work: Promise<unknown> = started
  return {
    /** A tenant's accounts lead to those of this start. */
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
