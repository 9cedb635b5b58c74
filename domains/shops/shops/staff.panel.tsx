import type { WireRow } from '#kit/resource/index.ts'
import type { basicShopInfo } from './basic-shop-info.resource.ts'
import { Button, Select } from 'antd'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { useShopStaffEditor, type StaffAssignment } from './use-staff-change.ts'
import './shops.css'

type Row = WireRow<typeof basicShopInfo>

const words = {
  title: { zh: '门店人员', en: 'Store staff' },
  hint: {
    zh: '店主和店员只看得到自己门店的数据；移除后立即看不到这家门店。',
    en: 'Store owners and staff only see data of their own stores. After removal they no longer see this store.',
  },
  add: { zh: '添加人员', en: 'Add staff' },
  person: { zh: '人员', en: 'Person' },
  position: { zh: '岗位', en: 'Position' },
  remove: { zh: '移除 {name}', en: 'Remove {name}' },
  nobody: { zh: '还没有人员', en: 'No staff yet' },
}

/** Editor of a shop's staff, saved as one list. */
export default function StaffPanel({ shop, onClose }: { shop: Row; onClose: () => void }) {
  const t = useLocalize()
  const { data, error, places, isChanged, retry, set, add, remove, catchUp, save } = useShopStaffEditor(shop)
  return (
    <SaveDrawer
      title={t(words.title)}
      subject={String(shop.shopName)}
      size={520}
      what={t(words.title)}
      isChanged={isChanged}
      save={save}
      catchUp={catchUp}
      onClose={onClose}
      isPending={!data && !error}
      error={error}
      retry={retry}
    >
      <div className="shops-staff">
        <p className="kit-quiet">{t(words.hint)}</p>
        {!places.length && <p className="kit-quiet">{t(words.nobody)}</p>}
        {places.map((one) => (
          <Person
            key={one.key}
            place={one}
            onChange={(change) => set(one.key, change)}
            onRemove={() => remove(one.key)}
          />
        ))}
        <Button size="large" icon={<Icon name="plus" />} onClick={add}>
          {t(words.add)}
        </Button>
      </div>
    </SaveDrawer>
  )
}

type PersonProps = {
  place: StaffAssignment
  onChange: (change: Partial<StaffAssignment>) => void
  onRemove: () => void
}

function Person({ place: { userId, position, name }, onChange, onRemove }: PersonProps) {
  const t = useLocalize()
  const { choices } = useDictionary('shop_position')
  return (
    <div className="shops-staff-row">
      <RowPicker
        to="user"
        value={userId}
        known={name ? { [userId]: name } : undefined}
        placeholder={t(words.person)}
        allowClear={false}
        onChange={(next, rows) => onChange({ userId: next, name: rows[0]?.title ?? '' })}
      />
      <Select
        value={position}
        onChange={(next) => onChange({ position: next })}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
        aria-label={t(words.position)}
      />
      <button type="button" className="shops-remove" aria-label={t(words.remove, { name })} onClick={onRemove}>
        <Icon name="delete" />
      </button>
    </div>
  )
}
