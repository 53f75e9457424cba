import { ChosenRole, LoginBody, RegisterBody } from '@beltway/contracts/identity/credentials';
import { fault } from '@beltway/contracts/problems/fault';
import { z } from 'zod';

// The server's schemas, with separate messages for empty fields.
const email = z.string().trim().min(1, fault('invalid.email-missing')).pipe(LoginBody.shape.email);
const password = z.string().min(1, fault('invalid.password-missing')).pipe(LoginBody.shape.password);

export const LoginSchema = z.object({ email, password });
export const RegisterSchema = RegisterBody.extend({ email, password, role: ChosenRole });
