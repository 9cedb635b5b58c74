import type { WireRow } from '#kit/resource/index.ts'
import type { wxUser } from './wx-user.resource.ts'
import { Select, Tag } from 'antd'
import type { FilterProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { vipLevel } from './vip-level.resource.ts'
import './members.css'

type Row = WireRow<typeof wxUser>

const words = {
  level: { zh: '{rank} 级会员', en: 'Tier {rank}' },
  none: { zh: '非会员', en: 'Not a member' },
}

/** A customer's picture, or the first character of their name. */
export const CustomerAvatar = ({ row, small }: { row: Row; small?: boolean }) => (
  <PersonAvatar link={row.avatar} name={row.nickname} className={`member-face ${small ? 'member-face-small' : ''}`} />
)

/** The tenant's levels, none for who may not see them. */
function useLevels() {
  const mayLevels = !!useResourcePath(vipLevel.name)
  return useResourceList(vipLevel, { inAddress: false, fixed: { size: 100 }, enabled: mayLevels }).rows
}

/** Returns a function that names a rank: the level's name where the reader may see the levels, otherwise "level n". */
function useRankName(): (rank: number) => string {
  const t = useLocalize()
  const levels = useLevels()
  return (rank) => {
    if (!(rank > 0)) return t(words.none)
    return levels.find((one) => Number(one.rank) === rank)?.name ?? t(words.level, { rank })
  }
}

/** The level a customer holds now. */
export function LevelTag({ row }: { row: Row }) {
  const nameOf = useRankName()
  const rank = Number(row.vipLevel)
  if (!(rank > 0)) return <span className="kit-quiet">{nameOf(rank)}</span>
  return (
    <Tag className="kit-tag member-level" color="gold" icon={<Icon name="crown" />}>
      {nameOf(rank)}
    </Tag>
  )
}

/** Filter box of the customer list: a level, or "no level". */
export function LevelFilter({ id, value, onChange }: FilterProps) {
  const t = useLocalize()
  const nameOf = useRankName()
  const ranks = useLevels().map(({ rank }) => Number(rank))
  const options = [0, ...ranks.toSorted((one, other) => one - other)]
  return (
    <Select
      id={id}
      value={value || undefined}
      allowClear
      placeholder={t(kit.pick)}
      options={options.map((rank) => ({ value: String(rank), label: nameOf(rank) }))}
      onChange={(next?: string) => onChange(next ?? '')}
    />
  )
}

/** The name of the level chosen in the filter. */
export const LevelText = ({ value }: { value: string }) => useRankName()(Number(value))
