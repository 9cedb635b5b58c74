import type { WireRow } from '#kit/resource/index.ts'
import { useState } from 'react'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { mergeSetChanges } from '#kit/web/form/merge-sets.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { useShopStaff, type StaffMember } from './use-staff.ts'

type Row = WireRow<typeof basicShopInfo>

export type StaffAssignment = { key: number; userId: string; position: string; name: string }

type Post = Pick<StaffMember, 'userId' | 'position'>
const keysOf = (list: readonly Post[]) => list.map(({ userId, position }) => `${userId}:${position}`)
const staffKey = (list: readonly Post[]) => keysOf(list).toSorted().join()

/** Hook to edit a shop's staff; saving is refused if the stored list has changed since it was opened. */
export function useShopStaffEditor(shop: Row) {
  const renew = useInvalidateResource()
  const { data, error, refetch, isFetching } = useShopStaff(String(shop.id))
  const [places, setPlaces] = useState<StaffAssignment[]>()
  // The staff when the list was opened.
  const [opened, setOpened] = useState<readonly StaffMember[]>([])

  if (data && !isFetching && !places) {
    setOpened(data)
    setPlaces(data.map((one, key) => ({ ...one, key })))
  }

  const now = places ?? []
  const set = (key: number, change: Partial<StaffAssignment>) =>
    setPlaces(now.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const wanted = now.filter(({ userId }) => userId)

  const catchUp = async () => {
    const theirs = (await refetch()).data
    if (!theirs) return
    const names = new Map([...now, ...theirs].map(({ userId, name }) => [userId, name]))
    setOpened(theirs)
    setPlaces(
      mergeSetChanges(keysOf(wanted), keysOf(opened), keysOf(theirs)).map((one, key) => {
        const [userId = '', position = ''] = one.split(':')
        return { key, userId, position, name: names.get(userId) ?? '' }
      }),
    )
  }

  const save = async () => {
    await apiPost(`${basicShopInfo.path}/staff`, {
      query: { id: shop.id },
      body: { staff: wanted.map(({ userId, position }) => ({ userId, position })), was: keysOf(opened) },
    })
    await renew(basicShopInfo)
  }

  return {
    /** The stored staff; undefined until the editor has been filled. */
    data: places && data,
    error,
    retry: () => void refetch(),
    places: now,
    isChanged: !!places && staffKey(wanted) !== staffKey(data ?? []),
    set,
    add: () =>
      setPlaces([
        ...now,
        { key: Math.max(-1, ...now.map(({ key }) => key)) + 1, userId: '', position: 'clerk', name: '' },
      ]),
    remove: (key: number) => setPlaces(now.filter((one) => one.key !== key)),
    catchUp,
    save,
  }
}
