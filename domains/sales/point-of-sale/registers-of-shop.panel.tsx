import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { OnlineState } from '#domains/shops/shops/ui.ts'
import { cashRegister } from './cash-register.resource.ts'

const words = {
  registers: { zh: '收银机', en: 'Registers' },
  noRegisters: { zh: '还没有收银机', en: 'No registers yet' },
}

/** The registers of a shop, shown in the shop's detail. */
export default function RegistersOfShop({ shopId }: { shopId: string }) {
  const t = useLocalize()
  const maySee = !!useResourcePath(cashRegister.name)
  const { rows, isPending } = useResourceList(cashRegister, { inAddress: false, fixed: { shopId }, enabled: maySee })
  if (!maySee) return null
  return (
    <section>
      <h3>{t(words.registers)}</h3>
      {!rows.length && !isPending && <p className="kit-quiet">{t(words.noRegisters)}</p>}
      <ul className="kit-rows">
        {rows.map((row) => (
          <li key={String(row.id)}>
            <span>
              <RowLink to="cashRegister" id={String(row.id)}>
                {String(row.name)}
              </RowLink>
              <small>{[row.sn, row.appVersion].filter(Boolean).join(' · ')}</small>
            </span>
            {Number(row.status) === 1 ? (
              <OnlineState online={row.online === true} seen={String(row.lastHeartbeat ?? '')} />
            ) : (
              <DictTag code="register_status" value={row.status} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
