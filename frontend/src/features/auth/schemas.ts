import { ChosenRole, LoginBody, RegisterBody } from '@beltway/contracts/identity/credentials';
import { z } from 'zod';

// The server's own checks, with messages of their own for empty fields.
const email = z.string().trim().min(1, 'Please enter your email address').pipe(LoginBody.shape.email);
const password = z.string().min(1, 'Please enter your password').pipe(LoginBody.shape.password);

export const LoginSchema = z.object({ email, password });
export const RegisterSchema = RegisterBody.extend({ email, password, role: ChosenRole });
