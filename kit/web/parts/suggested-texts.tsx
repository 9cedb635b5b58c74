import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'

type Props = { words: readonly LocalizedText[]; value: string; onChoose: (text: string) => void; disabled?: boolean }

/** Buttons with frequent texts that fill an input, which still takes any other text. */
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
