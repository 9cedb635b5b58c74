import { useLocalize, type LocalizedText } from '#kit/web/language.tsx'

type Props = { words: readonly LocalizedText[]; value: string; onChoose: (text: string) => void; disabled?: boolean }

/** What is written most, each at a touch; whoever means something else writes it. */
export function SuggestedTexts({ words, value, onChoose, disabled }: Props) {
  const t = useLocalize()
  return (
    <div className="kit-usual">
      {words.map((one) => (
        <button
          key={one.en}
          type="button"
          disabled={disabled}
          aria-pressed={value === t(one)}
          onClick={() => onChoose(t(one))}
        >
          {t(one)}
        </button>
      ))}
    </div>
  )
}
