import { Button, Select } from 'antd'
import { useState } from 'react'
import type { Row } from '#kit/web/form/form-values.ts'
import { post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { mergeSets } from '#kit/web/form/merge-sets.ts'
import { Picker } from '#kit/web/form/picker.tsx'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { WorkDrawer } from '#kit/web/detail/work-drawer.tsx'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { useStaff, type StaffMember } from './use-staff.ts'
import './shops.css'

const words = {
  title: { zh: '门店人员', en: 'Staff of' },
  hint: {
    zh: '店主和店员只看得到自己门店的数据；移除后立即看不到这家门店。',
    en: 'Bosses and clerks see their own shops alone; who is removed stops seeing this one at once.',
  },
  add: { zh: '添加人员', en: 'Add somebody' },
  person: { zh: '人员', en: 'Person' },
  position: { zh: '岗位', en: 'Position' },
  remove: { zh: '移除 {name}', en: 'Remove {name}' },
  nobody: { zh: '还没有人员', en: 'Nobody yet' },
}

type Place = { key: number; userId: string; position: string; name: string }

/** Who works in a shop, as one list saved at once. */
export default function StaffPanel({ shop, onClose }: { shop: Row; onClose: () => void }) {
  const say = useSay()
  const renew = useRenew()
  const { data, error, refetch, isFetching } = useStaff(String(shop.id))
  const [places, setPlaces] = useState<Place[]>()
  // Who worked here when the list was opened.
  const [opened, setOpened] = useState<readonly StaffMember[]>([])
  const { choices } = useDictionary('shop_position')
  if (data && !isFetching && !places) {
    setOpened(data)
    setPlaces(data.map((one, key) => ({ ...one, key })))
  }
  const now = places ?? []
  const set = (key: number, change: Partial<Place>) =>
    setPlaces(now.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const wanted = now.filter(({ userId }) => userId)
  const keysOf = (list: readonly Pick<StaffMember, 'userId' | 'position'>[]) =>
    list.map(({ userId, position }) => `${userId}:${position}`)
  const said = (list: readonly Pick<StaffMember, 'userId' | 'position'>[]) => keysOf(list).toSorted().join()
  const catchUp = async () => {
    const theirs = (await refetch()).data
    if (!theirs) return
    const names = new Map([...now, ...theirs].map(({ userId, name }) => [userId, name]))
    setOpened(theirs)
    setPlaces(
      mergeSets(keysOf(wanted), keysOf(opened), keysOf(theirs)).map((one, key) => {
        const [userId = '', position = ''] = one.split(':')
        return { key, userId, position, name: names.get(userId) ?? '' }
      }),
    )
  }
  const save = async () => {
    await post(`${basicShopInfo.path}/staff`, {
      query: { id: shop.id },
      body: { staff: wanted.map(({ userId, position }) => ({ userId, position })), was: keysOf(opened) },
    })
    await renew(basicShopInfo)
  }
  return (
    <WorkDrawer
      title={say(words.title)}
      subject={String(shop.shopName)}
      size={520}
      what={say(words.title)}
      isChanged={!!places && said(wanted) !== said(data ?? [])}
      save={save}
      catchUp={catchUp}
      onClose={onClose}
      isPending={!places && !error}
      error={error}
      retry={() => void refetch()}
    >
      <div className="shops-staff">
        <p className="kit-quiet">{say(words.hint)}</p>
        {!now.length && <p className="kit-quiet">{say(words.nobody)}</p>}
        {now.map((one) => (
          <div key={one.key} className="shops-staff-row">
            <Picker
              to="user"
              value={one.userId}
              known={one.name ? { [one.userId]: one.name } : undefined}
              placeholder={say(words.person)}
              allowClear={false}
              onChange={(userId, rows) => set(one.key, { userId, name: rows[0]?.title ?? '' })}
            />
            <Select
              value={one.position}
              onChange={(position) => set(one.key, { position })}
              options={choices.map(({ key, label }) => ({ value: key, label }))}
              aria-label={say(words.position)}
            />
            <button
              type="button"
              className="shops-remove"
              aria-label={say(words.remove, { name: one.name })}
              onClick={() => setPlaces(now.filter(({ key }) => key !== one.key))}
            >
              <Icon name="delete" />
            </button>
          </div>
        ))}
        <Button
          size="large"
          icon={<Icon name="plus" />}
          onClick={() =>
            setPlaces([
              ...now,
              { key: Math.max(-1, ...now.map(({ key }) => key)) + 1, userId: '', position: 'clerk', name: '' },
            ])
          }
        >
          {say(words.add)}
        </Button>
      </div>
    </WorkDrawer>
  )
}
