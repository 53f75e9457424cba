import { ImagePlus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Poster } from '../../ui/poster.tsx';
import { toast } from '../../ui/toast.ts';

const MAX_BYTES = 5 * 1024 * 1024;

const readAsDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('not readable'));
    reader.readAsDataURL(file);
  });

interface ImageFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (imageUrl: string) => void;
}

/** A picture from the device (read into the form, up to 5 MB) or by its address; without one the event gets a poster. */
export function ImageField({ value, error, onChange }: ImageFieldProps) {
  const [uploading, setUploading] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' });
    if (!chosen.type.startsWith('image/'))
      return refuse('Invalid File Type', 'Please select an image file (JPG, PNG, GIF, etc.)');
    if (chosen.size > MAX_BYTES) return refuse('File Too Large', 'Please select an image smaller than 5MB');
    setUploading(true);
    try {
      onChange(await readAsDataUrl(chosen));
      toast({ title: 'Image Uploaded', description: 'Your event photo has been uploaded successfully!' });
    } catch {
      refuse('Upload Failed', 'Failed to upload image. Please try again.');
    } finally {
      setUploading(false);
    }
  };

  const fromDevice = value.startsWith('data:');
  // Not while an address is being typed: each letter would be another picture that is not there.
  const isPicture = fromDevice || (/^https?:\/\/[^/]+\.[^/]+\/./.test(value) && URL.canParse(value));
  return (
    <div className="grid gap-3">
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label="Event photo"
        onChange={(change) => {
          void choose(change.target.files?.[0]);
          change.target.value = '';
        }}
      />
      {isPicture && <Poster src={value} alt="Preview of your event photo" className="aspect-[16/10] rounded-md" />}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" pending={uploading} onClick={() => file.current?.click()}>
          {!uploading && <ImagePlus aria-hidden className="size-4" />}
          {uploading ? 'Uploading…' : value ? 'Choose another photo' : 'Upload a photo'}
        </Button>
        {value && (
          <Button variant="quiet" onClick={() => onChange('')}>
            <Trash2 aria-hidden className="size-4" />
            Remove photo
          </Button>
        )}
      </div>
      {!fromDevice && (
        <Field
          label="Or the address of a picture"
          optional
          error={error}
          hint="Without a picture, your event gets a poster of its own."
        >
          <Input
            type="url"
            inputMode="url"
            placeholder="https://"
            value={value}
            onChange={(change) => onChange(change.target.value)}
          />
        </Field>
      )}
      {fromDevice && error && <p className="text-note text-danger-ink">{error}</p>}
    </div>
  );
}
