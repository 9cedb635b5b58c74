import type { WireRow } from '#kit/resource/index.ts'
import type { wxUser } from './wx-user.resource.ts'
import { Tag } from 'antd'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { Face } from '#kit/web/parts/face.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { useList } from '#kit/web/list/use-list.ts'
import { vipLevel } from './vip-level.resource.ts'
import './members.css'

type Row = WireRow<typeof wxUser>

const words = {
  level: { zh: '{rank} 级会员', en: 'Level {rank}' },
  none: { zh: '非会员', en: 'No member' },
}

/** A customer's picture, or the first sign of their name. */
export const CustomerFace = ({ row, small }: { row: Row; small?: boolean }) => (
  <Face link={row.avatar} name={row.nickname} className={`member-face ${small ? 'member-face-small' : ''}`} />
)

/** The level a customer holds now, by its name where the reader may see the levels. */
export function LevelTag({ row }: { row: Row }) {
  const say = useSay()
  const mayLevels = !!usePathOf(vipLevel.name)
  const { rows } = useList(vipLevel, { inAddress: false, fixed: { size: 100 }, enabled: mayLevels })
  const rank = Number(row.vipLevel)
  if (!(rank > 0)) return <span className="kit-quiet">{say(words.none)}</span>
  const name = rows.find((one) => Number(one.rank) === rank)?.name
  return (
    <Tag className="kit-tag member-level" color="gold" icon={<Icon name="crown" />}>
      {name ? String(name) : say(words.level, { rank })}
    </Tag>
  )
}
