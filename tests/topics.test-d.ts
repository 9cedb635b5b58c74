// Checked by the type checker alone: each line below is a wrong use of a live topic that must not compile.
import { changedTopicOf, defineResource, defineTopic, f } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { LiveStreams } from '#kit/server/live/live.ts'
import { onLiveEvent, useLiveEvents, useLiveRefetch } from '#kit/web/live/live.ts'

const label = { zh: '名称', en: 'Name' }
const doorTopic = defineTopic<{ shopId: string; count: number }>('test.door')
const bellTopic = defineTopic('test.bell')
const plain = defineResource({
  name: 'plain',
  path: '/api/t/plain',
  label,
  tenancy: 'tenant',
  fields: { name: f.text({ label }) },
  list: { columns: ['name'] },
})

export function useTopicsWrongly(db: Db, live: LiveStreams): void {
  db.publish(doorTopic, { shopId: '1', count: 2 })
  db.publish(bellTopic, {})
  db.publish(changedTopicOf(plain), { ids: ['1'] })
  // @ts-expect-error a topic is declared, never a name
  db.publish('test.door', { shopId: '1', count: 2 })
  // @ts-expect-error data without what pages read
  db.publish(doorTopic, { shopId: '1' })
  // @ts-expect-error a key the data does not have
  db.publish(doorTopic, { shopId: '1', count: 2, door: 3 })
  // @ts-expect-error text for a number
  db.publish(doorTopic, { shopId: '1', count: '2' })
  // @ts-expect-error data of a topic that has none
  db.publish(bellTopic, { shopId: '1' })
  // @ts-expect-error a single id where ids are told
  db.publish(changedTopicOf(plain), { ids: '1' })
  // @ts-expect-error a limit that is no id
  db.publish(bellTopic, {}, { limits: { shop: 1 } })

  live.on(doorTopic, ({ data }) => void data.shopId?.length)
  // @ts-expect-error a name where the server listens
  live.on('test.door', () => {})
  // @ts-expect-error a key the data does not have
  live.on(doorTopic, ({ data }) => void data.door)

  useLiveEvents(doorTopic, ({ shopId }) => void shopId?.length)
  // @ts-expect-error a name where a page listens
  useLiveEvents('test.door', () => {})
  // @ts-expect-error a key the data does not have
  useLiveEvents(doorTopic, ({ door }) => void door)
  // @ts-expect-error data that was too long to send is missing
  useLiveEvents(doorTopic, ({ shopId }) => void shopId.length)
  // @ts-expect-error another type than what is sent
  useLiveEvents(doorTopic, ({ shopId }: { shopId?: number }) => void shopId)
  // @ts-expect-error a name where a page fetches again
  useLiveRefetch('plain.changed', () => {})
  // @ts-expect-error a name outside of pages
  onLiveEvent('test.bell', () => {})
}

// @ts-expect-error a date comes as text
defineTopic<{ at: Date }>('test.date')
